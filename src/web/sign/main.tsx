// The signatory's page. Everything that is not needed for the first sight of it is loaded later.
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

createRoot(document.getElementById('page')!).render(<App />)
