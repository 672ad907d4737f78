// A text field with a list of what the text can mean: arrow keys, Enter and Escape, as screen readers expect it.
import type { ComponentChildren, Ref } from 'preact'
import { useId, useState } from 'preact/hooks'

interface Option {
  key: string
  title: string
  detail: string
  /** Address of its page; absent when choosing does something else. */
  href?: string
}

export function Combobox<T extends Option>({
  field,
  label,
  placeholder,
  text,
  options,
  isSettled,
  onText,
  onChoose,
  onEnter,
  onEscape,
}: {
  field?: Ref<HTMLInputElement>
  label: string
  placeholder: string
  text: string
  options: readonly T[]
  /** Whether the options are those of the text. */
  isSettled: boolean
  onText(text: string): void
  onChoose(option: T): void
  /** Enter while no option is selected. Default: chooses the first. */
  onEnter?(): void
  /** Default: the field loses the focus. */
  onEscape?(): void
}) {
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const id = useId()
  const isShown = isOpen && text.trim() !== ''
  const choose = (option: T | undefined) => {
    if (option === undefined) return
    setOpen(false)
    onChoose(option)
  }
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if (event.key === 'Escape') {
      setOpen(false)
      if (onEscape === undefined) event.currentTarget.blur()
      else onEscape()
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((active + step + options.length) % Math.max(1, options.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (active >= 0 || onEnter === undefined) choose(options[Math.max(0, active)])
      else onEnter()
    }
  }
  return (
    <>
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={`${id}-hits`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        maxLength={80}
        value={text}
        onInput={({ currentTarget }) => {
          onText(currentTarget.value)
          setOpen(true)
          setActive(-1)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-hits`} class="hits" role="listbox" aria-label="Results" hidden={!isShown}>
        {options.map((option, i) => (
          <Row
            key={option.key}
            id={`${id}-${i}`}
            option={option}
            isActive={i === active}
            onChoose={() => choose(option)}
          >
            <span>{option.title}</span>
            <span class="quiet">{option.detail}</span>
          </Row>
        ))}
        {options.length === 0 ? <p class="quiet">{isSettled ? 'Nothing found' : 'Searching…'}</p> : null}
      </div>
    </>
  )
}

function Row({
  id,
  option: { href },
  isActive,
  onChoose,
  children,
}: {
  id: string
  option: Option
  isActive: boolean
  onChoose(): void
  children: ComponentChildren
}) {
  const common = {
    id,
    role: 'option',
    tabIndex: -1,
    'aria-selected': isActive,
    // The field keeps the focus.
    onPointerDown: (event: PointerEvent) => event.preventDefault(),
    onClick: (event: MouseEvent) => {
      if (href !== undefined && (event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      onChoose()
    },
  } as const
  if (href === undefined) return <div {...common}>{children}</div>
  return (
    <a {...common} href={href}>
      {children}
    </a>
  )
}
