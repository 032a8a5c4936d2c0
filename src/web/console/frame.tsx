import { useEffect, useState, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { nameOf } from './format.ts'
import { ICONS } from './icons.ts'
import { isWithin, listNavigation } from './navigation.ts'
import { Drawer } from './parts/drawer.tsx'
import { Link } from './router.tsx'
import { service } from './service.ts'
import { useMe } from './session.ts'

/** Around every page: where one can go, who one is. On a phone the navigation is a drawer. */
export function Frame({ path, children }: { path: string; children: ReactNode }) {
  const { organisation } = useMe()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  useEffect(() => setDrawerOpen(false), [path])
  return (
    <div className="frame">
      <a className="skip-link" href="#content">
        Go to the page’s content
      </a>
      <header className="frame-top">
        <Button icon={ICONS.menu} onPress={() => setDrawerOpen(true)}>
          Menu
        </Button>
        <p className="frame-top-name">{organisation}</p>
      </header>
      <aside className="frame-side">
        <div className="frame-side-inside">
          <Navigation path={path} />
        </div>
      </aside>
      <main className="frame-main" id="content" tabIndex={-1}>
        {children}
      </main>
      {isDrawerOpen && (
        <Drawer label="Menu" onClose={() => setDrawerOpen(false)}>
          <Navigation path={path} onFollow={() => setDrawerOpen(false)} />
        </Drawer>
      )}
    </div>
  )
}

function Navigation({ path, onFollow }: { path: string; onFollow?: () => void }) {
  const me = useMe()
  return (
    <>
      <p className="brand">
        Countersign
        <span className="quiet small">{me.organisation}</span>
      </p>
      <nav aria-label="Console" className="navigation">
        <ul>
          {listNavigation(me).map((entry) => (
            <li key={entry.to}>
              <Link to={entry.to} isCurrent={isWithin(path, entry)} {...(onFollow && { onFollow })}>
                <Icon name={entry.icon} />
                <span>{entry.name}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="navigation navigation-foot">
        <Link to="/console/account" isCurrent={path === '/console/account'} {...(onFollow && { onFollow })}>
          <Icon name={ICONS.person} />
          <span>{nameOf(me)}</span>
        </Link>
        <button type="button" onClick={() => void signOut()}>
          <Icon name={ICONS.leave} />
          <span>Sign out</span>
        </button>
      </div>
    </>
  )
}

/** Loads everything anew, so that nothing of this person stays in the page. */
async function signOut(): Promise<void> {
  await service.logOut().catch(() => {})
  window.location.assign('/console')
}
