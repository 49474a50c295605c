// Slows the clock by which this process waits for a lock: a busy machine, or a slow disk, does not end its patience then.
const { bigint } = process.hrtime;

process.hrtime.bigint = () => bigint() / 60n;
