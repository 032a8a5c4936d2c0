import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { Choice } from '../parts/choice.tsx'
import { CommandLine, curl } from '../parts/command-line.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Filters } from '../parts/filters.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Page } from '../parts/page.tsx'
import { Pager, readSkip } from '../parts/pager.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { changeQuery } from '../router.tsx'
import { useResource } from '../use-resource.ts'
import { MARKS, STAGES, type Stage } from './archive-words.ts'
import { listFinished, type Finished, type RequestKind } from './finished-requests.ts'
import { MarkSheet } from './mark-sheet.tsx'

const TAKE = 50

const ADDRESSES: Record<RequestKind, string> = {
  signature: '/console/archive',
  sealing: '/console/archive/sealing',
}

export const ArchiveOfSignatures = (props: PageProps) => <Archive {...props} kind="signature" />
export const ArchiveOfSeals = (props: PageProps) => <Archive {...props} kind="sealing" />

/** What is finished, and how far an archive outside of the service has come with it. */
function Archive({ query, kind }: PageProps & { kind: RequestKind }) {
  const stage = (query.get('stage') ?? 'Closed') as Stage
  const skip = readSkip(query)
  const finished = useResource(`archive ${kind} ${stage} ${skip}`, () =>
    listFinished({ kind, stage, skip, take: TAKE }),
  )
  const [marking, setMarking] = useState<Finished>()
  const stages = STAGES.map((value) => [value, MARKS[value].words] as const)
  return (
    <Page
      title="Archive"
      lead="Finished requests and how far your archive has come with them. The archive is another system of yours; it reports here, or you do."
    >
      <Tabs
        label="Archive"
        current={ADDRESSES[kind]}
        tabs={[
          [ADDRESSES.signature, 'Signature requests'],
          [ADDRESSES.sealing, 'Sealing requests'],
        ]}
      />
      <Filters>
        <Choice
          label="Stage"
          value={stage}
          options={stages}
          onChange={(value) => changeQuery({ stage: value, skip: undefined })}
        />
      </Filters>
      <Loaded resource={finished}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Nothing stage={stage} kind={kind} />
          ) : (
            <>
              <Rows label="Finished requests">
                {items.map((item) => (
                  <FinishedRow key={item.id} item={item} onMark={() => setMarking(item)} />
                ))}
              </Rows>
              <Pager skip={skip} take={TAKE} total={total} />
            </>
          )
        }
      </Loaded>
      {marking && (
        <MarkSheet kind={kind} item={marking} onClose={() => setMarking(undefined)} onDone={finished.reload} />
      )}
    </Page>
  )
}

function FinishedRow({ item, onMark }: { item: Finished; onMark: () => void }) {
  const mark = MARKS[item.stage]
  return (
    <Row
      title={item.name}
      detail={[item.reference, item.reason].filter(Boolean).join(' · ')}
      state={
        <StateMark tone={mark.tone} icon={mark.icon}>
          {mark.words}
        </StateMark>
      }
      when={<Moment at={item.changedAt} />}
      actions={
        item.stage !== 'Archived' && (
          <Button icon={ICONS.archive} onPress={onMark}>
            Mark<span className="for-screen-readers"> {item.name}</span>
          </Button>
        )
      }
    />
  )
}

function Nothing({ stage, kind }: { stage: Stage; kind: RequestKind }) {
  const body = { status: 'Archived' }
  const line =
    kind === 'signature'
      ? curl('/archiving/signaturerequest/$ID', { method: 'PATCH', body })
      : curl('/sealing/sealingrequest/$ID', { method: 'PUT', body })
  // In single quotes the shell would not fill the id in.
  const command = line.replace(/'([^']*\$ID)'/, '"$1"')
  if (stage !== 'Closed') {
    return (
      <>
        <p className="quiet">Nothing is in this stage.</p>
        <CommandLine label="An archive reports like this" command={command} />
      </>
    )
  }
  return (
    <EmptyState icon={ICONS.archive} title="Nothing waits for an archive" command={command}>
      As soon as a request is finished it appears here. Your archive fetches the documents and the evidence, and reports
      that it has begun, that it is done, or why it failed.
    </EmptyState>
  )
}
