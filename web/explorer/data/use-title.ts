// The title of the document, once a page knows the names of what it shows: as the server writes it for a whole page.
import { useLayoutEffect } from 'preact/hooks'
import { chain } from './place.ts'

export function useTitle(title: string): void {
  const of = chain.value
  useLayoutEffect(() => {
    document.title = `${title}${of === null ? '' : ` on ${of}`} – Headwater`
  }, [title, of])
}
