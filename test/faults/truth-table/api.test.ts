import { apiCommands } from "../table/commands/api.ts";
import { testTable } from "../table/test-table.ts";

testTable("api", apiCommands);
