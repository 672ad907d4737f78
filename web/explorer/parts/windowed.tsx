// Rows of a long table: only those near the view are in the document. The page scrolls, not the table.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { visibleRange } from '../core/market-rows.ts'

const EXTRA = 8

/** @param rowHeight  of every row, CSS pixels */
export function WindowedRows({
  count,
  rowHeight,
  children,
}: {
  count: number
  rowHeight: number
  children(start: number, end: number): ComponentChildren
}) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [range, setRange] = useState({ start: 0, end: Math.min(count, 40) })
  useEffect(() => {
    let frame = 0
    const measure = () => {
      frame = 0
      if (body.current === null) return
      const top = -body.current.getBoundingClientRect().top
      const next = visibleRange(count, rowHeight, top, innerHeight, EXTRA)
      setRange((old) => (old.start === next.start && old.end === next.end ? old : next))
    }
    const later = () => {
      frame ||= requestAnimationFrame(measure)
    }
    measure()
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
    }
  }, [count, rowHeight])
  const start = Math.min(range.start, count)
  const end = Math.min(Math.max(range.end, start), count)
  const gap = (rows: number) =>
    rows === 0 ? null : (
      <tr class="gap">
        <td style={{ height: `${rows * rowHeight}px` }} />
      </tr>
    )
  return (
    <tbody ref={body}>
      {gap(start)}
      {children(start, end)}
      {gap(count - end)}
    </tbody>
  )
}
