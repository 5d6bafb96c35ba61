import { view } from "tabiya";

import { keepForOffline } from "./offline.ts";

document.querySelector("#count")!.textContent = `${view("startpos", "").moves.length} moves`;
keepForOffline();
