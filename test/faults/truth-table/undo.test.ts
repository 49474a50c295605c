import { undoCommands } from "../table/commands/undo.ts";
import { testTable } from "../table/test-table.ts";

testTable("undo", undoCommands);
