/** The one part of undici that is needed; its index would bring all of it. */
declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  export = Client;
}
