// What several views say of themselves; how a run is doing comes in words from the server.

export const OFFLINE = "no connection to the server, trying again …";
