import { fleetCommands } from "../table/commands/fleet.ts";
import { testTable } from "../table/test-table.ts";

testTable("fleet", fleetCommands);
