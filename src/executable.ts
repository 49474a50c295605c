import { PRINT_ADDRESSES } from "./installation.ts";

/** The entry of the executable, in place of `bin/relayctl.js`. */
async function main([word]: readonly string[]): Promise<void> {
  if (word === "__complete") await import("./complete.ts");
  else if (word !== PRINT_ADDRESSES) await import("./entry.ts");
  else {
    const { printAddresses } = await import("./client/transport/lookup-programs.ts");
    printAddresses(process.getBuiltinModule("node:dns"), process);
  }
}

void main(process.argv.slice(2));
