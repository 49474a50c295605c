/** The connection flags: server, token, and limits; texts as typed. */
export interface ConnectionFlags {
  context?: string;
  server?: string;
  tokenFile?: string;
  demo?: true;
  timeout?: string;
  deadline?: string;
  retries?: string;
  caFile?: string;
  proxy?: string;
  allowHttp?: true;
}
