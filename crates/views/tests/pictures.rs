//! Pictures, parsed as XML.

use roxmltree::{Document, Node, ParsingOptions};
use tabiya::{Bitboard, Board, Position, Rank, Setup, Square};
use tabiya_views::layer::LayerSquares;
use tabiya_views::svg::{Coordinates, Picture};
use tabiya_views::{Arrow, ArrowColor, Diagram, Layer};

const SQUARE: f64 = 45.0;

fn layer(name: &str, squares: Bitboard) -> LayerSquares {
    LayerSquares { name: name.to_owned(), squares, note: None }
}

fn start() -> Diagram {
    Diagram::new(Board::START)
}

fn with_layers(layers: &[LayerSquares]) -> Diagram {
    Diagram { layers: layers.to_vec(), ..start() }
}

/// Parses the picture, which must be well-formed XML, and runs a test on it.
fn read<T>(picture: &Picture, test: impl FnOnce(Node<'_, '_>) -> T) -> T {
    let text = picture.to_string();
    assert!(text.ends_with("</svg>\n"));
    let document = Document::parse_with_options(&text, ParsingOptions::default()).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    assert_eq!(root.tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
    test(root)
}

fn draw<T>(diagram: Diagram, test: impl FnOnce(Node<'_, '_>) -> T) -> T {
    read(&Picture::new(vec![diagram], "A board"), test)
}

/// The elements of a name, in the order of drawing.
fn elements<'a, 'i>(root: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    root.descendants().filter(move |node| node.tag_name().name() == name)
}

/// The elements of a class.
fn class<'a, 'i>(root: Node<'a, 'i>, class: &'static str) -> Vec<Node<'a, 'i>> {
    root.descendants().filter(|node| node.attribute("class") == Some(class)).collect()
}

fn number(node: Node<'_, '_>, attribute: &str) -> f64 {
    node.attribute(attribute).unwrap().parse().unwrap()
}

fn place(node: Node<'_, '_>) -> (f64, f64) {
    (number(node, "x"), number(node, "y"))
}

fn texts(nodes: &[Node<'_, '_>]) -> Vec<String> {
    nodes.iter().map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

/// The class and the shape of the piece in a square of the picture.
fn piece(root: Node<'_, '_>, column: u8, row: u8) -> Option<(String, String)> {
    let corner = (f64::from(column) * SQUARE, f64::from(row) * SQUARE);
    let found = elements(root, "use").find(|node| place(*node) == corner)?;
    Some((found.attribute("class")?.to_owned(), found.attribute("href")?.to_owned()))
}

fn is(color: &str, letter: &str) -> Option<(String, String)> {
    Some((color.to_owned(), format!("#tabiya-{letter}")))
}

#[test]
fn every_piece_stands_on_its_square() {
    draw(start(), |root| {
        assert_eq!(elements(root, "use").count(), 32);
        assert_eq!(piece(root, 0, 7), is("w", "r"));
        assert_eq!(piece(root, 4, 7), is("w", "k"));
        assert_eq!(piece(root, 3, 0), is("b", "q"));
        assert_eq!(piece(root, 4, 4), None);
        // Every shape that is used is defined.
        for node in elements(root, "use") {
            let id = node.attribute("href").unwrap().trim_start_matches('#');
            assert!(elements(root, "g").any(|shape| shape.attribute("id") == Some(id)), "{id}");
        }
        assert!(class(root, "m").is_empty() && class(root, "h").is_empty());
        assert!(class(root, "a").is_empty() && class(root, "t").is_empty());
    });
}

#[test]
fn a_flipped_board_has_black_at_the_bottom() {
    let labels = |diagram| draw(diagram, |root| texts(&class(root, "c")).concat());
    assert_eq!(labels(start()), "87654321abcdefgh");
    let flipped = Diagram { is_flipped: true, ..start() };
    assert_eq!(labels(flipped.clone()), "12345678hgfedcba");
    draw(flipped, |root| {
        assert_eq!(piece(root, 0, 7), is("b", "r"));
        assert_eq!(piece(root, 3, 7), is("b", "k"));
        assert_eq!(piece(root, 3, 0), is("w", "k"));
        let desc = elements(root, "desc").next().unwrap().text().unwrap();
        assert!(desc.contains("Black is at the bottom."), "{desc}");
    });
    // Marks turn with the board.
    let marked = Diagram {
        is_flipped: true,
        last_move: Some((Square::A1, Square::A2)),
        ..with_layers(&[layer("corner", Square::H1.bitboard())])
    };
    draw(marked, |root| {
        assert_eq!(
            class(root, "h").into_iter().map(place).collect::<Vec<_>>(),
            [(7.0 * SQUARE, 0.0), (7.0 * SQUARE, SQUARE)]
        );
        assert_eq!(place(class(root, "m")[0]), (3.0, 3.0));
    });
}

#[test]
fn dark_squares_are_dark_on_both_sides() {
    for is_flipped in [false, true] {
        draw(Diagram { is_flipped, ..start() }, |root| {
            let path = class(root, "d")[0].attribute("d").unwrap();
            assert_eq!(path.matches('M').count(), 32);
            // The lower left corner is a1 or h8, both dark.
            assert!(path.contains("M0 315h45") && !path.contains("M0 0h45"), "{path}");
        });
    }
}

#[test]
fn a_single_layer_has_frames_and_its_name_as_the_title() {
    let squares = Rank::Third.bitboard() | Square::A1.bitboard();
    draw(with_layers(&[layer("<x> & y", squares)]), |root| {
        assert_eq!(class(root, "m").len(), 9);
        assert_eq!(place(class(root, "m")[0]), (3.0, 7.0 * SQUARE + 3.0));
        assert_eq!(texts(&class(root, "t")), ["<x> & y"]);
        assert!(class(root, "k").is_empty());
    });
    let titled = Diagram { title: Some("Title".to_owned()), ..with_layers(&[layer("x", squares)]) };
    draw(titled, |root| assert_eq!(texts(&class(root, "t")), ["Title"]));
}

#[test]
fn several_layers_on_a_board_have_colours_and_a_legend() {
    let (a, b) = (Square::A8.bitboard(), Square::B8.bitboard());
    let layers = [layer("one", a), layer("two", a | b), layer("three", Bitboard::EMPTY)];
    draw(with_layers(&layers), |root| {
        assert!(class(root, "m").is_empty() && class(root, "t").is_empty());
        assert_eq!(texts(&class(root, "k")), ["one", "two", "three"]);
        assert_eq!(texts(&class(root, "n")), ["1", "2", "2", "1", "2", "3"]);
        let rects: Vec<_> = elements(root, "rect").filter(|it| it.has_attribute("fill")).collect();
        let color = |index: usize| rects[index].attribute("fill").unwrap();
        // The bars on a8 and b8, then the legend.
        assert_eq!(rects.len(), 6);
        assert_eq!((color(0), color(1), color(2)), (color(3), color(4), color(4)));
        assert!(color(0) != color(1) && color(1) != color(5) && color(0) != color(5));
        // The two bars on a8 share the square without overlapping.
        let end = number(rects[0], "x") + number(rects[0], "width");
        assert_eq!(end, number(rects[1], "x"));
        assert_eq!(number(rects[0], "x"), 3.0);
        assert_eq!(number(rects[1], "x") + number(rects[1], "width"), SQUARE - 3.0);
    });
}

#[test]
fn eight_layers_have_eight_colours() {
    let layers: Vec<_> = (0..Diagram::MAX_LAYERS)
        .map(|index| layer(&format!("layer-{index}"), Bitboard::FULL))
        .collect();
    draw(with_layers(&layers), |root| {
        let legend = elements(root, "rect").filter(|it| it.attribute("width") == Some("16"));
        let mut colors: Vec<_> = legend.map(|it| it.attribute("fill").unwrap()).collect();
        assert_eq!(colors.len(), Diagram::MAX_LAYERS);
        colors.sort_unstable();
        colors.dedup();
        assert_eq!(colors.len(), Diagram::MAX_LAYERS);
    });
}

#[test]
fn arrows_and_rings_are_drawn_in_their_colours_above_the_pieces() {
    let arrows = [
        Arrow { from: Square::E2, to: Square::E4, color: ArrowColor::Green },
        Arrow { from: Square::G1, to: Square::F3, color: ArrowColor::Red },
        Arrow { from: Square::D4, to: Square::D4, color: ArrowColor::Blue },
    ];
    draw(Diagram { arrows: arrows.to_vec(), ..start() }, |root| {
        let drawn = class(root, "a");
        assert_eq!(drawn.len(), 2);
        assert_ne!(drawn[0].attribute("fill"), drawn[1].attribute("fill"));
        let last_piece = elements(root, "use").last().unwrap();
        assert!(drawn[0].range().start > last_piece.range().end);
        // The tip is near the middle of e4, on its file.
        let path = drawn[0].attribute("d").unwrap();
        assert!(path.contains("L202.5 205.5L"), "{path}");
        let ring = elements(root, "circle").last().unwrap();
        assert_eq!((number(ring, "cx"), number(ring, "cy")), (3.5 * SQUARE, 4.5 * SQUARE));
        let desc = elements(root, "desc").next().unwrap().text().unwrap();
        assert!(desc.contains("A red arrow from g1 to f3."), "{desc}");
    });
}

#[test]
fn every_arrow_stays_on_the_board() {
    for from in Square::ALL {
        let arrows = Square::ALL.map(|to| Arrow { from, to, color: ArrowColor::Grey });
        draw(Diagram { arrows: arrows.to_vec(), ..start() }, |root| {
            let drawn = class(root, "a");
            assert_eq!(drawn.len(), 63);
            for arrow in drawn {
                let path = arrow.attribute("d").unwrap().trim_start_matches('M');
                let numbers = path.trim_end_matches('z').split(['L', ' ']);
                for number in numbers.map(|number| number.parse::<f64>().unwrap()) {
                    assert!((0.0..=8.0 * SQUARE).contains(&number), "{path}");
                }
            }
        });
    }
}

#[test]
fn the_last_move_is_highlighted_below_the_pieces() {
    let diagram = Diagram { last_move: Some((Square::E7, Square::E5)), ..start() };
    draw(diagram, |root| {
        let drawn = class(root, "h");
        let places: Vec<_> = drawn.iter().map(|node| place(*node)).collect();
        assert_eq!(places, [(4.0 * SQUARE, 3.0 * SQUARE), (4.0 * SQUARE, SQUARE)]);
        assert!(drawn[1].range().end < elements(root, "use").next().unwrap().range().start);
        let desc = elements(root, "desc").next().unwrap().text().unwrap();
        assert!(desc.contains("Last move: e7 to e5."), "{desc}");
    });
}

#[test]
fn a_picture_has_a_background_unless_it_is_transparent() {
    let mut picture = Picture::new(vec![start()], "A board");
    read(&picture, |root| {
        let background = class(root, "bg");
        assert_eq!(background.len(), 1);
        // It fills the picture, and everything else is drawn above it.
        assert_eq!(number(background[0], "width") + 1.0, number(root, "width"));
        assert_eq!(number(background[0], "height") + 1.0, number(root, "height"));
        let first = root.descendants().find(|node| node.has_attribute("transform")).unwrap();
        assert!(background[0].range().end <= first.range().start);
        assert_eq!(root.attribute("class"), Some("tabiya"));
    });
    picture.is_transparent = true;
    read(&picture, |root| {
        assert!(class(root, "bg").is_empty());
        assert_eq!(root.attribute("class"), Some("tabiya clear"));
    });
}

#[test]
fn coordinates_are_beside_the_board_inside_it_or_left_out() {
    let names = |coordinates, is_flipped| {
        let mut picture = Picture::new(vec![Diagram { is_flipped, ..start() }], "A board");
        picture.coordinates = coordinates;
        read(&picture, |root| {
            let all: Vec<_> = class(root, "c").into_iter().chain(class(root, "i")).collect();
            let mut places = all.iter().map(|node| place(*node));
            let is_inside = |at: f64| (0.0..8.0 * SQUARE).contains(&at);
            let inside = places.all(|(x, y)| is_inside(x) && is_inside(y));
            (texts(&all).concat(), inside, number(root, "width"), number(root, "height"))
        })
    };
    let labels = |text: &str, inside, side| (text.to_owned(), inside, side, side);
    assert_eq!(names(Coordinates::Outside, false), labels("87654321abcdefgh", false, 404.0));
    assert_eq!(names(Coordinates::Inside, false), labels("87654321abcdefgh", true, 392.0));
    assert_eq!(names(Coordinates::Inside, true), labels("12345678hgfedcba", true, 392.0));
    assert_eq!(names(Coordinates::Hidden, true), labels("", true, 392.0));
    assert_eq!(Coordinates::ALL.map(Coordinates::name), ["outside", "inside", "none"]);
}

#[test]
fn a_picture_has_any_width_with_the_same_drawing() {
    let mut picture = Picture::new(vec![with_layers(&[layer("x", Bitboard::FULL)]); 2], "Boards");
    let natural = picture.to_string();
    let sizes = [(808, 424_u32), (404, 212), (1616, 848), (1, 1), (u32::MAX, 2253794719)];
    for (width, height) in sizes {
        picture.width = Some(width);
        let (found, view) = read(&picture, |root| {
            let size = (number(root, "width"), number(root, "height"));
            (size, root.attribute("viewBox").unwrap().to_owned())
        });
        assert_eq!(found, (f64::from(width), f64::from(height)));
        assert_eq!(view, "0 0 808 424");
        let rest = |text: &str| text[text.find("viewBox").unwrap()..].to_owned();
        assert_eq!(rest(&picture.to_string()), rest(&natural));
    }
}

#[test]
fn a_picture_is_described_in_words() {
    let position = Position::from_fen("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").unwrap();
    let scene = position.clone().into();
    let pinned = Layer::parse("pinned").unwrap().evaluate(&scene).unwrap();
    let between = Layer::parse("between:a1-b3").unwrap().evaluate(&scene).unwrap();
    let diagram = Diagram { layers: vec![pinned, between], ..Diagram::new(*position.board()) };
    read(&Picture::new(vec![diagram], "A <pin> & more\u{0}"), |root| {
        assert_eq!(root.attribute("role"), Some("img"));
        let text = |name| elements(root, name).next().unwrap().text().unwrap();
        assert_eq!(text("title"), "A <pin> & more\u{fffd}");
        assert_eq!(
            text("desc").trim(),
            "White: king e1, bishop e2. Black: king h8, rook e8. pinned: e2. \
             between:a1-b3: none (a1 and b3 do not share a line).",
        );
        // The title comes first, where screen readers look for it.
        assert_eq!(root.first_element_child().unwrap().tag_name().name(), "title");
    });
}

#[test]
fn style_rules_apply_to_this_picture_only() {
    draw(start(), |root| {
        let style = elements(root, "style").next().unwrap().text().unwrap();
        let rules = style.replace("@media (prefers-color-scheme:dark){", "");
        for rule in rules.split('}').filter(|rule| !rule.is_empty()) {
            let selectors = rule.split('{').next().unwrap().split(',');
            for selector in selectors {
                assert!(selector.starts_with(".tabiya"), "{selector}");
            }
        }
    });
}

#[test]
fn several_boards_stand_in_even_rows() {
    for (count, columns, rows) in [(1, 1, 1), (2, 2, 1), (3, 3, 1), (4, 2, 2), (7, 3, 3)] {
        let picture = Picture::new(vec![start(); count], "Boards");
        let (mut places, size) = read(&picture, |root| {
            let groups = elements(root, "g").filter_map(|group| group.attribute("transform"));
            let places: Vec<String> = groups.map(str::to_owned).collect();
            (places, (number(root, "width"), number(root, "height")))
        });
        assert_eq!(size, (404.0 * f64::from(columns), 404.0 * f64::from(rows)), "{count}");
        assert_eq!(places.len(), count);
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), count);
    }
}

#[test]
fn a_picture_without_boards_is_well_formed() {
    read(&Picture::new(Vec::new(), ""), |root| assert_eq!(number(root, "width"), 404.0));
    draw(Diagram::new(Setup::EMPTY.board), |root| {
        assert_eq!(elements(root, "use").count(), 0);
        let desc = elements(root, "desc").next().unwrap().text().unwrap();
        assert_eq!(desc.trim(), "White: none. Black: none.");
    });
}

#[test]
fn the_same_picture_is_always_the_same_text() {
    let diagram = Diagram {
        arrows: vec![Arrow::parse("b1c3").unwrap(), Arrow::parse("a1h8:purple").unwrap()],
        ..with_layers(&[layer("one", Rank::Third.bitboard()), layer("two", Bitboard(7))])
    };
    let picture = Picture::new(vec![diagram], "Twice");
    assert_eq!(picture.to_string(), picture.clone().to_string());
    // It is the same on other machines.
    let path = "M76.9 327.7L105.3 270.8L112.5 274.3L111.2 250.2L91.0 263.6L98.2 267.2L69.7 324.1z";
    assert!(picture.to_string().contains(path), "{picture}");
}
