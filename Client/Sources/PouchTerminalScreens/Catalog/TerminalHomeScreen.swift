import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalHomeScreen: TerminalScreen, HomeScreen {
    var season: Season? { didSet { redraw() } }
    var promotions = LoadState<[Promotion]>() {
        didSet {
            slider.promotions = promotions.value ?? []
            redraw()
        }
    }
    var categories = LoadState<[PouchEntities.Category]>() { didSet { redraw() } }
    private let slider: PromotionSlider

    override init(_ environment: ScreenEnvironment) {
        slider = PromotionSlider(environment)
        super.init(environment)
        slider.coordinatingResponder = self
    }

    override var title: String { season?.name ?? "Home" }

    override var hints: [KeyHint] {
        slider.promotions.isEmpty ? [("Enter", "open")] : [("Enter", "open"), ("←→", "slide"), ("b", "buy now")]
    }

    override func appear() { slider.start() }
    override func disappear() { slider.stop() }

    override var elements: [FormElement] {
        loaded(promotions, activity: "Loading promotions") { _ in promotionElements } + searchElements
            + (haveSameFailure ? [] : loaded(categories, activity: "Loading categories", categoryElements))
    }

    /// Whether both lists are missing for the same reason, for example because the shop cannot be reached. Such a
    /// failure is shown once.
    private var haveSameFailure: Bool {
        promotions.value == nil && categories.value == nil && promotions.failure != nil
            && promotions.failure == categories.failure
    }

    override func pressOwn(_ key: Key) -> Bool {
        guard key == .character("b"), let product = slider.current?.product else { return false }
        perform("Opening \(product.name)") { [slider] in try await slider.buyNow(product) }
        return true
    }

    private var promotionElements: [FormElement] {
        guard let promotion = slider.current else { return [] }
        let element = FormElement(id: "promotion") { [slider] isFocused in
            PromotionBox(
                promotion: promotion, position: slider.position, count: slider.promotions.count, isFocused: isFocused)
        } press: { [unowned self] key in
            switch key {
            case .left: slider.slide(by: -1)
            case .right: slider.slide(by: 1)
            case .enter: go(to: .product(handle: promotion.product.handle))
            default: return false
            }
            return true
        }
        return [element]
    }

    private var searchElements: [FormElement] {
        field("search", "Search the shop") { [unowned self] in
            let words = text("search")
            go(to: .listing(ProductQuery(search: words.isEmpty ? nil : words)))
        } + [.blank]
    }

    private func categoryElements(_ categories: [PouchEntities.Category]) -> [FormElement] {
        [.row("all products", "All products") { [unowned self] in go(to: .listing(ProductQuery())) }]
            + categories.map { category in
                .row(
                    "category \(category.id)", StyledText(category.name),
                    StyledText(category.productCount == 1 ? "1 product" : "\(category.productCount) products", .dim)
                ) { [unowned self] in
                    go(to: .listing(ProductQuery(season: season?.id, category: category.id)))
                }
            } + (categories.isEmpty ? [.note("The shop has no categories yet.")] : [])
    }
}
