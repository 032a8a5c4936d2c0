/** What it means that this factor goes. */
export function LastFactor({ isLast }: { isLast: boolean }) {
  return isLast ? (
    <p>From then on your password alone is enough to sign in. The recovery codes stop working too.</p>
  ) : (
    <p>You can still sign in with what else you have added, and with your recovery codes.</p>
  )
}
