//! Checks that everything hot is inlined into the hot functions of the fast counter.
//!
//! These functions are compiled for CPU features that the rest of the program does not assume. If a
//! closure or a vector operation is not inlined into them, the counts stay right, but half the
//! speed is lost. So this test disassembles its own program and examines the calls in these
//! functions.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction, OpKind, Register};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SymbolKind};
use tabiya::Position;
use tabiya_perft::{Engine, Isa, Options, categories};

/// The functions that `leaf/instances.rs` makes of the walk and of the kernels have this name.
const ENTERED: &str = "::entered";

/// The functions of the counter that they may call.
const ALLOWED: [&str; 8] = [
    ENTERED,
    "Waiting<L>::unorthodox_castlings",
    "rules::castle",
    "rules::castling_replies",
    "rules::en_passants",
    "rules::promotions",
    "Counter<M>::settle",
    "Table::",
];

/// Functions of the language's runtime: memory and panics.
const LANGUAGE: [&str; 14] = [
    "malloc",
    "calloc",
    "free",
    "memset",
    "memcpy",
    "memmove",
    "_Unwind_Resume",
    "alloc::",
    "__rust",
    "core::panicking",
    "core::slice::index",
    "core::option",
    "drop_in_place",
    "core::ops::drop::Drop>::drop",
];
/// A call to an address that is found at run time, such as a method of a `dyn Watch`.
const WATCH: &str = "(a method of a trait object)";

/// The code of this test's own program.
struct Program {
    code: Vec<(u64, Vec<u8>)>,
    /// Functions by name.
    functions: Vec<(String, Range<u64>)>,
    names: BTreeMap<u64, String>,
    /// Addresses that the linker or the loader stores in memory, with the names of their targets.
    slots: BTreeMap<u64, String>,
}

impl Program {
    fn this() -> Self {
        let path = std::env::current_exe().expect("a running program has a file");
        let data = std::fs::read(path).expect("the program's file can be read");
        let file = object::File::parse(&*data).expect("the program is an object file");
        let mut names = BTreeMap::new();
        let mut functions = Vec::new();
        for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
            let name = symbol.name().unwrap_or_default();
            let name = format!("{:#}", rustc_demangle::demangle(name));
            functions.push((name.clone(), symbol.address()..symbol.address() + symbol.size()));
            names.insert(symbol.address(), name);
        }
        let mut slots = BTreeMap::new();
        for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let name = match relocation.target() {
                RelocationTarget::Symbol(index) => file
                    .dynamic_symbol_table()
                    .and_then(|table| {
                        object::ObjectSymbolTable::symbol_by_index(&table, index).ok()
                    })
                    .and_then(|symbol| symbol.name().ok().map(str::to_owned)),
                _ => names.get(&(relocation.addend() as u64)).cloned(),
            };
            slots.extend(name.map(|name| (at, name)));
        }
        let code = file
            .sections()
            .filter(|section| section.kind() == object::SectionKind::Text)
            .map(|section| (section.address(), section.data().unwrap_or_default().to_vec()))
            .collect();
        Self { code, functions, names, slots }
    }

    fn instructions(&self, range: Range<u64>) -> Vec<Instruction> {
        let (start, section) = self
            .code
            .iter()
            .find(|(start, bytes)| (*start..start + bytes.len() as u64).contains(&range.start))
            .expect("a function lies in a section");
        let bytes = &section[(range.start - start) as usize..(range.end - start) as usize];
        Decoder::with_ip(64, bytes, range.start, DecoderOptions::NONE).into_iter().collect()
    }

    /// The name of the function at an address that is called or jumped to. The address may belong
    /// to an entry of the procedure linkage table, which jumps to the address in a slot.
    fn name(&self, address: u64) -> String {
        if let Some(name) = self.names.get(&address) {
            return name.clone();
        }
        let stub = self.instructions(address..address + 16);
        let jump = stub.iter().find(|i| i.code() == Code::Jmp_rm64 && i.is_ip_rel_memory_operand());
        jump.and_then(|jump| self.slots.get(&jump.ip_rel_memory_address()).cloned())
            .unwrap_or_else(|| format!("(nameless at {address:x})"))
    }

    /// The names of all functions that a function calls.
    fn callees(&self, range: Range<u64>) -> BTreeSet<String> {
        let instructions = self.instructions(range.clone());
        let slot = |i: &Instruction| {
            let at = i.ip_rel_memory_address();
            self.slots.get(&at).cloned().unwrap_or_else(|| format!("(through a slot at {at:x})"))
        };
        let mut callees = BTreeSet::new();
        for i in &instructions {
            match i.flow_control() {
                // A jump out of the function is a call at its end.
                FlowControl::Call
                | FlowControl::UnconditionalBranch
                | FlowControl::ConditionalBranch
                    if i.op0_kind() == OpKind::NearBranch64 =>
                {
                    let target = i.near_branch_target();
                    if i.flow_control() == FlowControl::Call || !range.contains(&target) {
                        callees.insert(self.name(target));
                    }
                }
                FlowControl::IndirectCall if i.is_ip_rel_memory_operand() => {
                    callees.insert(slot(i));
                }
                FlowControl::IndirectCall if i.op0_kind() == OpKind::Memory => {
                    callees.insert(WATCH.to_owned());
                }
                FlowControl::IndirectCall => {
                    // The address was loaded into the register before: any load of the register may
                    // be the right one.
                    let register = i.op0_register();
                    let loads = instructions.iter().filter(|load| loads(load, register));
                    let found: Vec<_> = loads
                        .filter_map(|load| self.slots.get(&load.ip_rel_memory_address()).cloned())
                        .collect();
                    if found.is_empty() {
                        callees.insert(WATCH.to_owned());
                    }
                    callees.extend(found);
                }
                _ => {}
            }
        }
        callees
    }
}

/// Does this instruction load a register from a fixed address?
fn loads(i: &Instruction, register: Register) -> bool {
    i.code() == Code::Mov_r64_rm64 && i.op0_register() == register && i.is_ip_rel_memory_operand()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "only a release build is optimised as it is shipped")]
fn hot_functions_call_only_what_they_may() {
    // Functions that are not used are not linked.
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let engine = Engine::new(Options { isa, ..Options::default() });
        assert_eq!(engine.count(&Position::START, 4), Ok(197_281));
        let found = categories(&Position::START, 4, engine.options(), &()).categories;
        assert_eq!(found.nodes, 197_281);
    }
    let program = Program::this();
    let mut unexpected = Vec::new();
    // The walk, the kernel for nodes, and that for siblings; with vectors, those for replies as well.
    for (machine, least) in [("Bmi2", 4), ("Avx512", 5)] {
        let named = |name: &str| {
            name.contains(&format!("::{machine}")) && name.trim_end_matches('>').ends_with(ENTERED)
        };
        let entered: Vec<_> = program.functions.iter().filter(|(name, _)| named(name)).collect();
        assert!(entered.len() >= least, "{machine} has only {entered:?}");
        let longest = entered.iter().map(|(_, range)| range.end - range.start).max();
        assert!(longest > Some(5000), "the kernel for nodes is missing in {machine}: {entered:?}");
        for (name, range) in entered {
            for callee in program.callees(range.clone()) {
                let known = callee.starts_with("tabiya") || callee.starts_with("<tabiya");
                let is_expected = if known {
                    !callee.contains("closure") && ALLOWED.iter().any(|name| callee.contains(name))
                } else {
                    callee == WATCH || LANGUAGE.iter().any(|name| callee.contains(name))
                };
                if !is_expected {
                    unexpected.push(format!("{name} calls {callee}"));
                }
            }
        }
    }
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
}
