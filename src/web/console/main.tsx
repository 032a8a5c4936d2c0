// The console. Each page is loaded when somebody goes there.
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

createRoot(document.getElementById('page')!).render(<App />)
