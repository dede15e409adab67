/// The one child that a view shows at a time. Another view replaces it; the same view leaves it.
@MainActor
struct ChildViewController<View: Hashable, Content> {
    private var view: View
    private(set) var controller: any ViewController<Content>

    init(_ view: View, make: (View) -> any ViewController<Content>) {
        self.view = view
        controller = make(view)
    }

    mutating func present(_ view: View, make: (View) -> any ViewController<Content>) {
        guard view != self.view else { return }
        self.view = view
        controller = make(view)
    }
}
