/** A source whose first item is on its way. */
interface Started<T> {
  iterator: AsyncIterator<T>;
  first: Promise<IteratorResult<T>>;
}

/**
 * Yields the items of each source, in their order, and starts some sources ahead of the one that is read. A source that
 * fails calls `failed` and ends; the others go on.
 */
export async function* inOrderAhead<S, T>(
  sources: readonly S[],
  open: (source: S) => AsyncIterable<T>,
  { most, failed }: { most: number; failed: (source: S, error: unknown) => void },
): AsyncGenerator<T> {
  const started: Started<T>[] = [];
  let next = 0;
  const startSome = (upTo: number) => {
    for (; next < Math.min(sources.length, upTo); next++) {
      const iterator = open(sources[next] as S)[Symbol.asyncIterator]();
      const first = iterator.next();
      // It is awaited in its turn.
      first.catch(() => {});
      started.push({ iterator, first });
    }
  };
  let at = 0;
  try {
    for (; at < sources.length; at++) {
      startSome(at + most);
      const source = started[at];
      if (!source) return;
      try {
        for (let result = await source.first; !result.done; result = await source.iterator.next()) yield result.value;
      } catch (error) {
        failed(sources[at] as S, error);
      }
    }
  } finally {
    for (const { iterator } of started.slice(at)) iterator.return?.()?.catch(() => {});
  }
}
