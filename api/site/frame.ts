// The explorer's top bar and footer on pages that have a script of their own.
import type { ExplorerConfig } from '../../web/explorer/core/config.ts'
import { ASSETS_PATH, type Site } from './bundle.ts'
import { escaped } from './escaped.ts'

/** Parts of a page's HTML. @param frame  null for a page without bar and footer */
export function framePlaces(files: Site, frame: ExplorerConfig | null): Record<'top' | 'bottom' | 'frame', string> {
  if (frame === null) return { top: '', bottom: '', frame: '' }
  return {
    top: `<div id="top" data-config="${escaped(JSON.stringify(frame))}"></div>`,
    bottom: '<div id="bottom"></div>',
    frame: `<script type="module" src="${ASSETS_PATH}${files.frame.script}"></script>`,
  }
}
