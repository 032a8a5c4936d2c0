// The verification page, for anybody who holds a signed document.
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

createRoot(document.getElementById('page')!).render(<App />)
