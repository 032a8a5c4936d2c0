// Many who end one after the other go on together: what follows, such as a commit, then costs one instead of many.

export type Gathering = {
  /** Says that somebody is on the way. Whoever waits already waits for them too, but never for long. */
  expect(group: string): Place
}

export type Place = {
  /**
   * Resolves when it is time to go on: enough have come, nobody else is on the way, or the first has waited for long. How
   * many are enough may change from one to the next.
   */
  arrive(enough?: number): Promise<void>
  /** Is not coming any more. After arriving it means nothing. */
  leave(): void
}

export type GatheringOptions = { enough: number; longestWaitMs: number }

type Group = { onTheWay: number; waiting: (() => void)[]; timer: NodeJS.Timeout | undefined }

/** Groups by name; those of one never wait for another's. */
export function makeGathering({ enough, longestWaitMs }: GatheringOptions): Gathering {
  const groups = new Map<string, Group>()

  function goOn(name: string, group: Group): void {
    clearTimeout(group.timer)
    group.timer = undefined
    for (const resolve of group.waiting.splice(0)) resolve()
    if (group.onTheWay === 0) groups.delete(name)
  }

  function look(name: string, group: Group, wanted = enough): void {
    if (group.onTheWay === 0 || group.waiting.length >= wanted) goOn(name, group)
    else if (group.waiting.length > 0) group.timer ??= setTimeout(() => goOn(name, group), longestWaitMs)
  }

  return {
    expect(name) {
      const group = groups.get(name) ?? { onTheWay: 0, waiting: [], timer: undefined }
      groups.set(name, group)
      group.onTheWay++
      let isOnTheWay = true
      const end = (wanted?: number) => {
        if (!isOnTheWay) return
        isOnTheWay = false
        group.onTheWay--
        look(name, group, wanted)
      }
      return {
        arrive: (wanted) =>
          new Promise((resolve) => {
            group.waiting.push(resolve)
            end(wanted)
          }),
        leave: () => end(),
      }
    },
  }
}
