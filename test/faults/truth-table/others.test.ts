import { otherCommands } from "../table/commands/others.ts";
import { testTable } from "../table/test-table.ts";

testTable("signers, networks and plugins", otherCommands);
