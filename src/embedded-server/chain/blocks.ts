/** The time of the first block of every network, in milliseconds since 1970. */
const BEGAN = Date.UTC(2020, 0, 1);

export function heightAt(time: number, blockTime: number): number {
  return Math.floor((time - BEGAN) / blockTime);
}

export function blockFrom(time: number, blockTime: number): number {
  return Math.ceil((time - BEGAN) / blockTime);
}

/** Returns the time of a block, in milliseconds since 1970. */
export function timeOf(block: number, blockTime: number): number {
  return BEGAN + block * blockTime;
}
