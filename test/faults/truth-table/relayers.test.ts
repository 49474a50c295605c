import { relayerCommands } from "../table/commands/relayers.ts";
import { testTable } from "../table/test-table.ts";

testTable("relayers", relayerCommands);
