// Lets the process believe that it may use so much memory, as a container with a limit does.
process.constrainedMemory = () => Number(process.env.MEMORY_MIB) * 2 ** 20;
