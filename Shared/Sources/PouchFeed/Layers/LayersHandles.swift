/// Gives the products of a LAYERS feed their handles: the name, and the style code behind it where an earlier product
/// of the feed has the name already.
///
/// This is the one thing that is remembered of every product, a few dozen bytes each.
struct LayersHandles: Sendable {
    private var styles: [String: String] = [:]

    mutating func handle(name: String, style: String) -> String {
        var handle = name.slug.isEmpty ? style.slug : name.slug
        while let owner = styles[handle], owner != style {
            handle += "-" + style.slug
        }
        styles[handle] = style
        return handle
    }
}
