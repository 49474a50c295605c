/** What was measured, or why it could not be: one thing that fails does not keep the rest from being measured. */
export async function attempted(world, measure) {
  try {
    return { value: await measure() };
  } catch (error) {
    world.signal.throwIfAborted();
    return { failure: error.message };
  }
}
