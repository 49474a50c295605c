import { transactionCommands } from "../table/commands/transactions.ts";
import { testTable } from "../table/test-table.ts";

testTable("tx", transactionCommands);
