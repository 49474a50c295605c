import { paymentCommands } from "../table/commands/payments.ts";
import { testTable } from "../table/test-table.ts";

testTable("payments", paymentCommands);
