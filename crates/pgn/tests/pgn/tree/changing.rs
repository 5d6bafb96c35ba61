//! Trees are changed.

use tabiya::{Move, Position, SplitMix64};
use tabiya_pgn::{Comment, EditError, GameTree, NodeId, Placement, Termination};

use super::{assert_kept, moves, tree};
use crate::common::is_short;

#[test]
fn playing_and_taking_back_needs_no_more_memory() {
    let mut tree = tree("1. e4 e5 (1... Ke3) *");
    let [end, before] = [tree.end(), tree.next(NodeId::ROOT).unwrap()];
    let memory = tree.memory();
    for _ in 0..10 {
        let mv = tree.position(end).parse_move("d4").unwrap();
        let d4 = tree.add(end, mv).unwrap();
        let reply = tree.position(d4).parse_move("d5").unwrap();
        let d5 = tree.add(d4, reply).unwrap();
        tree.delete(d4);
        assert!(!tree.contains(d4) && !tree.contains(d5));
        assert_eq!((tree.memory(), tree.len()), (memory, 3));
    }
    // The problem names a node that is deleted now.
    assert_eq!(tree.problems()[0].node, before);
    tree.delete(before);
    tree.compact();
    assert_eq!((tree.len(), tree.problems()[0].node), (1, NodeId::ROOT));
}

/// A plain list of lists, changed in the same way.
fn model(
    random: &mut SplitMix64,
    tree: &mut GameTree,
    model: &mut Vec<Vec<usize>>,
    ids: &mut Vec<NodeId>,
) {
    let node = random.below(ids.len());
    let id = ids[node];
    if !tree.contains(id) {
        return;
    }
    let parent = model.iter().position(|children| children.contains(&node));
    let place = parent.and_then(|it| model[it].iter().position(|&child| child == node));
    match random.below(10) {
        0..=5 => {
            let moves = tree.position(id).legal_moves();
            if moves.is_empty() {
                return;
            }
            let added = tree.add(id, moves[random.below(moves.len().min(4))]).unwrap();
            if !ids.contains(&added) {
                model[node].push(ids.len());
                model.push(Vec::new());
                ids.push(added);
            }
        }
        6 => {
            tree.promote(id);
            if let (Some(parent), Some(place @ 1..)) = (parent, place) {
                model[parent].swap(place, place - 1);
            }
        }
        7 => {
            tree.demote(id);
            if let (Some(parent), Some(place)) = (parent, place)
                && place + 1 < model[parent].len()
            {
                model[parent].swap(place, place + 1);
            }
        }
        8 => {
            tree.promote_to_main(id);
            if let (Some(parent), Some(place)) = (parent, place) {
                let child = model[parent].remove(place);
                model[parent].insert(0, child);
            }
        }
        _ if random.below(4) > 0 || id == NodeId::ROOT => {}
        _ => {
            tree.delete(id);
            if let (Some(parent), Some(place)) = (parent, place) {
                model[parent].remove(place);
            }
            // The tree may use their ids again.
            let never = NodeId::from_index(u32::MAX as usize - 1).unwrap();
            ids.iter_mut().filter(|id| !tree.contains(**id)).for_each(|id| *id = never);
        }
    }
}

#[test]
fn changes_are_those_of_a_plain_tree() {
    let mut random = SplitMix64::new(33);
    for _ in 0..if is_short() { 10 } else { 100 } {
        let mut tree = GameTree::new();
        let (mut children, mut ids) = (vec![Vec::new()], vec![NodeId::ROOT]);
        for _ in 0..200 {
            model(&mut random, &mut tree, &mut children, &mut ids);
            let mut number = 0;
            let mut next = vec![0];
            while let Some(node) = next.pop() {
                number += 1;
                let found: Vec<NodeId> = tree.children(ids[node]).collect();
                let expected: Vec<NodeId> = children[node].iter().map(|&it| ids[it]).collect();
                assert_eq!(found, expected);
                for &child in &children[node] {
                    assert_eq!(tree.parent(ids[child]), Some(ids[node]));
                }
                next.extend(&children[node]);
            }
            assert_eq!(tree.len(), number);
        }
        assert_kept(&tree);
        let mut compact = tree.clone();
        compact.compact();
        assert_eq!(compact, tree);
        // A tree is the sum of its lines.
        let mut lines = tree.ends().map(|end| tree.line(end));
        let mut sum = lines.next().unwrap();
        lines.for_each(|line| sum.merge(&line).unwrap());
        assert_eq!(sum.len(), tree.len());
        let reverse: Vec<NodeId> = tree.ends().collect();
        tree.make_main_line(*reverse.last().unwrap());
        assert_eq!(
            tree.main_line(NodeId::ROOT).last().unwrap_or(NodeId::ROOT),
            *reverse.last().unwrap()
        );
        assert_eq!(tree.len(), compact.len());
    }
}

#[test]
fn mistaken_changes_are_refused() {
    let mut tree = tree("1. e4 f6 2. d4 g5 3. Qh5# *");
    let mate = tree.end();
    let mv = Move::from_bits(0x1234).unwrap();
    assert!(matches!(tree.add(mate, mv), Err(EditError::Illegal(_))));
    assert_eq!(tree.add_null(mate), Err(EditError::NullInCheck));
    assert_eq!(tree.set_tag("White Elo", "1"), Err(EditError::TagName));
    assert_eq!(tree.set_tag("White", "a\nb"), Err(EditError::TagValue));
    assert_eq!(tree.set_tag("FEN", "x"), Err(EditError::StartTag));
    assert_eq!(tree.remove_tag("SetUp"), Err(EditError::StartTag));
    let other = GameTree::from_position(&Position::chess960(0).unwrap());
    assert_eq!(tree.merge(&other), Err(EditError::Start));
    let e4 = tree.next(NodeId::ROOT).unwrap();
    let legal = tree.mv(e4).unwrap();
    assert!(tree.add_line(NodeId::ROOT, &[legal, legal]).is_err());
    assert_eq!(tree.len(), 6);
    assert_kept(&tree);
}

#[test]
fn notes_are_changed_where_they_are() {
    let mut tree = tree("1. e4 {a} $1 {b} $3 e5 (1... c5) *");
    let e4 = tree.next(NodeId::ROOT).unwrap();
    let c5 = tree.children(e4).nth(1).unwrap();
    tree.remove_nag(e4, tabiya_pgn::Nag(1));
    tree.add_nag(e4, tabiya_pgn::Nag(3)).unwrap();
    tree.add_comment(e4, Placement::After, " c\nd ").unwrap();
    tree.add_comment(c5, Placement::Before, "first").unwrap();
    tree.add_comment(c5, Placement::After, "  ").unwrap();
    assert_eq!(moves(&tree), "1. e4 $3 {a} {b} {c d} 1... e5 ({first} 1... c5) *");
    assert_kept(&tree);
    // A comment before a move that continues a line stands after the move before.
    tree.promote(c5);
    assert_eq!(moves(&tree), "1. e4 $3 {a} {b} {c d} {first} 1... c5 (1... e5) *");
    tree.remove_comments(e4, Placement::After);
    tree.remove_notes(c5);
    assert_eq!(moves(&tree), "1. e4 $3 c5 (1... e5) *");
    tree.set_result(Termination::Draw);
    assert_eq!(tree.tag("Result"), Some("1/2-1/2"));
    assert!(tree.set_tag("Zeta", "\"\\").is_ok() && tree.set_tag("Alpha", "1").is_ok());
    assert_eq!(tree.remove_tag("Alpha"), Ok(true));
    assert_kept(&tree);
}

/// Long lists of notes have an index, which must not outlive what it describes.
#[test]
fn long_lists_of_notes_are_merged_like_short_ones() {
    let notes = |tree: &GameTree| tree.comments(tree.end()).map(str::to_owned).collect::<Vec<_>>();
    let game = |text: &str| tree(format!("1. e4 {{{text}}} *"));
    let mut sum = game("0");
    for number in 0..100 {
        sum.merge(&game(&number.to_string())).unwrap();
    }
    let all: Vec<String> = (0..100).map(|number| number.to_string()).collect();
    assert_eq!(notes(&sum), all);
    sum.merge(&sum.clone()).unwrap();
    assert_eq!(notes(&sum), all);
    // What is twice in one game is added twice, as if the list were short.
    sum.merge(&tree("1. e4 {a} {a} {7} *")).unwrap();
    assert_eq!(notes(&sum)[100..], ["a", "a"]);
    let end = sum.end();
    sum.remove_comments(end, Placement::After);
    assert!(notes(&sum).is_empty());
    sum.merge(&game("7")).unwrap();
    assert_eq!(notes(&sum), ["7"]);
    for number in 0..100 {
        sum.merge(&game(&number.to_string())).unwrap();
    }
    sum.add_comment(end, Placement::After, "b").unwrap();
    sum.merge(&game("b")).unwrap();
    sum.merge(&game("99")).unwrap();
    assert_eq!(notes(&sum).len(), 101);
    sum.compact();
    sum.merge(&game("b")).unwrap();
    assert_eq!(notes(&sum).len(), 101);
}

#[test]
fn a_command_that_would_be_another_one_is_refused() {
    let before = tree("1. e4 {fine} *");
    let e4 = before.next(NodeId::ROOT).unwrap();
    for (name, argument) in [("x", "a]b"), ("x]", "a"), ("x y", "a"), ("", "a"), ("x", "a] [%y b")]
    {
        let mut tree = before.clone();
        assert_eq!(
            tree.set_command(e4, name, Some(argument)),
            Err(EditError::Command),
            "{name} {argument}"
        );
        assert_eq!(tree, before, "{name} {argument}");
    }
    for argument in ["", "a b", " 1:02:03 ", "a,b[c"] {
        let mut tree = before.clone();
        tree.set_command(e4, "x", Some(argument)).unwrap();
        let text = tree.comments(e4).next().unwrap().to_owned();
        let command = Comment::new(text.as_bytes()).commands().next().unwrap();
        assert_eq!(
            (command.name.to_string(), command.argument.to_string()),
            ("x".into(), argument.trim().into())
        );
        tree.set_command(e4, "x", None).unwrap();
        assert_eq!(tree, before, "{argument}");
    }
}
