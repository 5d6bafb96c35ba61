//! What the explorer starts with. None of it is public in the package.

mod layers;
mod pasted;
mod scene;
mod view;
