import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Look = { kind?: 'primary' | 'plain' | 'quiet' | 'danger'; icon?: IconName; children: ReactNode }

export type ButtonProps = Look & {
  /** Work goes on: the button stays where it is and does nothing more. */
  isBusy?: boolean
  /** Inside a form the button that sends it leaves this out. */
  onPress?: () => void
  describedBy?: string
}

/** A button whose words say what it does. While busy it keeps the focus and ignores further presses. */
export function Button({ kind = 'plain', icon, isBusy = false, onPress, describedBy, children }: ButtonProps) {
  return (
    <button
      type={onPress ? 'button' : 'submit'}
      className={`button button-${kind}`}
      aria-disabled={isBusy}
      aria-describedby={describedBy}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onPress?.()
      }}
    >
      {isBusy ? <span className="turning" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

export type ButtonLinkProps = Look & {
  href: string
  isDownload?: boolean
  /** Leaves a frame that the page may stand in. */
  isWholeWindow?: boolean
  /** What the downloaded file is to be called, where the address does not tell. */
  fileName?: string
  label?: string
  onFollow?: () => void
}

/** A link that looks like a button: it leads somewhere, or brings a file. */
export function ButtonLink(props: ButtonLinkProps) {
  const { kind = 'plain', icon, href, isDownload, fileName, isWholeWindow, label, onFollow, children } = props
  return (
    <a
      className={`button button-${kind}`}
      href={href}
      download={fileName ?? isDownload}
      target={isWholeWindow ? '_top' : undefined}
      aria-label={label}
      onClick={onFollow}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  )
}
