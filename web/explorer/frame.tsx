// The explorer's top bar and footer around the bridge's page, which has a script of its own.
import { render } from 'preact'
import { Footer, Skip, TopBar } from './shell/shell.tsx'

function put(id: string, content: preact.ComponentChildren): void {
  const place = document.getElementById(id)
  if (place !== null) render(content, place)
}

put(
  'top',
  <>
    <Skip />
    <TopBar />
  </>,
)
put('bottom', <Footer />)
