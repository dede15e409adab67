/// The one child that a view shows at a time; another view has another one made, the same view does not.
@MainActor
struct ChildViewController<View: Hashable, Content> {
    private let make: (View) -> any ViewController<Content>
    private var view: View
    private(set) var controller: any ViewController<Content>

    init(_ view: View, make: @escaping (View) -> any ViewController<Content>) {
        self.make = make
        self.view = view
        controller = make(view)
    }

    mutating func present(_ view: View) {
        guard view != self.view else { return }
        self.view = view
        controller = make(view)
    }
}
