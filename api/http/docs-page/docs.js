// Shows openapi.json as a list of endpoints that can be tried. Builds the page from text nodes: nothing is parsed as HTML.

/** An element with attributes and children. */
function element(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children)
  return node
}

function typeOf(schema = {}) {
  if (schema.anyOf) return schema.anyOf.map((one) => one.const ?? typeOf(one)).join(' or ')
  if (schema.enum) return schema.enum.join(', ')
  return schema.type ?? ''
}

function field(parameter) {
  const { name, schema = {}, description, required } = parameter
  const input = element('input', { name, 'data-in': parameter.in, 'aria-label': name })
  if (schema.default !== undefined) input.placeholder = String(schema.default)
  const facts = [required ? 'required' : '', typeOf(schema), description ?? schema.description ?? '']
  return element(
    'label',
    { class: 'field' },
    element('code', {}, name),
    input,
    element('small', {}, facts.filter(Boolean).join(' · ')),
  )
}

/** The address that the form stands for. */
function address(path, form) {
  const query = new URLSearchParams()
  let filled = path
  for (const input of form.querySelectorAll('input')) {
    if (input.dataset.in === 'path') filled = filled.replace(`{${input.name}}`, encodeURIComponent(input.value))
    else if (input.value !== '') query.set(input.name, input.value)
  }
  return new URL(query.size > 0 ? `${filled}?${query}` : filled, location.href).href
}

async function ask(path, form, shown) {
  const url = address(path, form)
  const started = performance.now()
  const answer = await fetch(url)
  const text = await answer.text()
  const took = Math.round(performance.now() - started)
  const block = answer.headers.get('x-block-num')
  let body = text
  try {
    body = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Plain text and images stay as they are.
  }
  const head = [`curl '${url}'`, `${answer.status}, ${took} ms${block ? `, block ${block}` : ''}`]
  shown.textContent = `${head.join('\n')}\n\n${body.slice(0, 100_000)}`
  shown.hidden = false
}

function endpoint(path, { summary, description, parameters = [] }) {
  const shown = element('pre', { hidden: '' })
  const form = element('form', {}, ...parameters.map(field), element('button', {}, 'Try it'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ask(path, form, shown).catch((error) => {
      shown.textContent = String(error)
      shown.hidden = false
    })
  })
  const title = element('summary', {}, element('code', {}, path), summary ? ` ${summary}` : '')
  return element('details', { 'data-path': path.toLowerCase() }, title, description ?? '', form, shown)
}

const api = await (await fetch('/openapi.json')).json()
document.querySelector('#title').textContent = `${api.info.title} API ${api.info.version}`
document.querySelector('#about').textContent = api.info.description
const groups = new Map()
for (const [path, { get }] of Object.entries(api.paths)) {
  if (!get) continue
  const group = get.tags?.[0] ?? 'Other'
  groups.set(group, [...(groups.get(group) ?? []), endpoint(path, get)])
}
const list = document.querySelector('#endpoints')
for (const [group, endpoints] of groups) list.append(element('section', {}, element('h2', {}, group), ...endpoints))
document.querySelector('#filter').addEventListener('input', ({ target }) => {
  for (const one of list.querySelectorAll('details'))
    one.hidden = !one.dataset.path.includes(target.value.toLowerCase())
  for (const group of list.children) group.hidden = group.querySelector('details:not([hidden])') === null
})
