// Room for documents in memory: so many at a time, and so many bytes of them. The others wait in line.

export type Room = <T>(sizeBytes: number, work: () => Promise<T>) => Promise<T>

export type RoomBounds = {
  documents: number
  /** One that is larger than this by itself is worked on alone. */
  bytes: number
}

/** Begins in the order in which it is asked, so that a large document is not passed by small ones for ever. */
export function makeRoom(bounds: RoomBounds): Room {
  const line: { sizeBytes: number; begin: () => void }[] = []
  let documents = 0
  let bytes = 0

  const hasRoomFor = (sizeBytes: number) =>
    documents === 0 || (documents < bounds.documents && bytes + sizeBytes <= bounds.bytes)

  function enter(sizeBytes: number): void {
    documents++
    bytes += sizeBytes
  }

  function leave(sizeBytes: number): void {
    documents--
    bytes -= sizeBytes
    while (line.length > 0 && hasRoomFor(line[0]!.sizeBytes)) {
      const next = line.shift()!
      enter(next.sizeBytes)
      next.begin()
    }
  }

  return async (sizeBytes, work) => {
    if (line.length === 0 && hasRoomFor(sizeBytes)) enter(sizeBytes)
    else await new Promise<void>((begin) => line.push({ sizeBytes, begin }))
    try {
      return await work()
    } finally {
      leave(sizeBytes)
    }
  }
}
