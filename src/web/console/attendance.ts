// Whether somebody looks at the page. One that nobody looks at asks for nothing, so that its session can end.

const LEFT_AFTER_MS = 10 * 60 * 1000

let lastSeen = Date.now()

for (const kind of ['pointerdown', 'pointermove', 'keydown', 'scroll', 'focus'])
  window.addEventListener(kind, () => (lastSeen = Date.now()), { passive: true, capture: true })

/** The page is in front, and somebody moved within the last minutes. */
export function isAttended(): boolean {
  return document.visibilityState === 'visible' && Date.now() - lastSeen < LEFT_AFTER_MS
}
