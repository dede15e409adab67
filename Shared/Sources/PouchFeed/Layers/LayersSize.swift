/// The sizes of a LAYERS feed, in display order; the raw values stand in SKUs.
enum LayersSize: String, CaseIterable {
    case xs, s, m, l, xl
    /// For things that come in a single size; a product with no other size has no option for it.
    case one

    /// The sizes of a product that names none.
    static let standard: [Self] = [.xs, .s, .m, .l, .xl]

    var label: String { self == .one ? "One Size" : rawValue.uppercased() }
}
