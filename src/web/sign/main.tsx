// The signatory's page. Everything that is not needed for the first sight of it is loaded later.
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const page = createRoot(document.getElementById('page')!)
if (location.pathname.endsWith('/report')) void import('./report.tsx').then(({ Report }) => page.render(<Report />))
else page.render(<App />)
