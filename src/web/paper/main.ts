// The sandbox: documents are parsed and drawn here and nowhere else. Whatever a document manages to do, it does it in a
// place without an origin, that can reach nothing and nobody but the page which feeds it.
import { answerWishes } from './draw.ts'

// Frames that nobody sees get no animation frames, and the renderer waits for them between two strokes.
window.requestAnimationFrame = (next) => setTimeout(() => next(performance.now()), 0)

addEventListener('message', function start(event) {
  const [port] = event.ports
  if (event.source !== window.parent || port === undefined) return
  removeEventListener('message', start)
  answerWishes(port)
})
// The page may have been waiting; it hears from us when we can hear it, and nothing else.
window.parent.postMessage('ready', '*')
