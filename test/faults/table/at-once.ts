/** Does something with each item, a few at a time. */
export async function atOnce<T>(width: number, items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
