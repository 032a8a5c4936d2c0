import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'

export type ChooseTenantProps = {
  tenants: { id: string; name: string }[]
  isBusy: boolean
  error: Error | undefined
  onChoose: (tenantId: string) => unknown
}

/** Whoever belongs to several organisations says which one it is today. */
export function ChooseTenant({ tenants, isBusy, error, onChoose }: ChooseTenantProps) {
  return (
    <div className="form">
      <p>Your e-mail address belongs to several organisations. Which one do you want to work for?</p>
      {tenants.map(({ id, name }) => (
        <Button key={id} isBusy={isBusy} onPress={() => void onChoose(id)}>
          {name}
        </Button>
      ))}
      {error && <ErrorNotice error={error} />}
    </div>
  )
}
