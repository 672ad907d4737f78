// A thread that lowers its priority does not lower that of the other threads of its process.
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { lowerThreadPriority } from '../../bin/thread-priority.ts'

/** Priorities of the threads of this process, by id. */
function priorities(): Map<number, number> {
  const ids = readdirSync('/proc/self/task').map(Number)
  return new Map(
    ids.map((id) => {
      const text = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
      // The name, in parentheses, may have spaces. Fields: proc(5), from the third one on.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      return [id, Number(fields[16])]
    }),
  )
}

t.test('only the calling thread', { skip: process.platform !== 'linux' && 'only Linux has it' }, (t) => {
  const before = priorities()
  lowerThreadPriority()
  const after = priorities()
  // The first thread has the id of the process.
  t.equal(after.get(process.pid), 5)
  for (const [id, priority] of before) if (id !== process.pid) t.equal(after.get(id), priority, `thread ${id}`)
  t.ok(before.size > 1)
  t.end()
})
