/** Runs workers in parallel, and waits for all even if one has a defect, on which `stop` is called. */
export async function runWorkers(count: number, work: () => Promise<void>, stop: () => void): Promise<void> {
  const stopping = (error: unknown) => {
    stop();
    throw error;
  };
  const working = Array.from({ length: count }, () => work().catch(stopping));
  await Promise.allSettled(working);
  await Promise.all(working);
}
