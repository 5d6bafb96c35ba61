export * from "./pkg/tabiya.js";
