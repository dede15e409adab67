import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// The page with the products of the front page, in their order.
    func addFrontPageForm() {
        let page = admin("/admin/front-page", .readCatalog) { try await FrontPage(desk: $0).content() }
        form("/admin/front-page", for: .staff(.writeCatalog), showing: page) { submission in
            let slides = FrontPage.slides(in: submission.form)
            try await submission.send(Contract.setPromotions, try JSON(json: PromotionsRequest(items: slides).json()))
            submission.tell("The front page was saved.")
            return Redirect(to: AdminPath.frontPage)
        }
    }
}

/// The front page as administrators change it.
private struct FrontPage {
    /// Handles that the browser suggests for a new slide.
    private static let suggestions = 200

    let desk: Desk

    /// A slide with its product, which may have been deleted from what was typed.
    private struct Slide: Sendable {
        let terms: PromotionTerms
        let product: ManagedProduct?
    }

    /// The slides of a form, without those that are taken away and the empty row for another one.
    static func slides(in form: FormBody) -> [PromotionTerms] {
        form.rows(of: "items").filter { !$0.isRemoved && !$0["product"].isEmpty }.map { row in
            let url = row["image.url"]
            return PromotionTerms(
                product: row["product"], image: url.isEmpty ? nil : ProductImage(url: url, alt: row["image.alt"]))
        }
    }

    func content() async throws -> PageContent {
        let environment = desk.site.environment
        let typed = desk.visit.failure != nil ? desk.visit.form.map(Self.slides) : nil
        let (slides, products) = try await desk.read { repositories in
            let now = environment.time.now
            let terms =
                try typed
                ?? repositories.outline.promotions(at: now).map {
                    PromotionTerms(product: $0.productId, image: $0.image)
                }
            return (
                try terms.map { Slide(terms: $0, product: try repositories.products.product($0.product, at: now)) },
                try repositories.products.products(
                    ProductSelection(status: .published), after: nil, limit: Self.suggestions, at: now)
            )
        }
        let known = slides.compactMap { slide in slide.product.map { (slide.terms.image, $0) } }
        let values: PageValues = [
            "hasSlides": !known.isEmpty,
            "slides": known.enumerated().map { self.values($1.1, image: $1.0, $0) },
            // A product that there is not was typed, and can be typed again.
            "newIndex": known.count, "newProduct": slides.first { $0.product == nil }?.terms.product ?? "",
            "products": products.map { ["handle": $0.handle, "label": $0.name] as PageValues },
        ]
        return PageContent("admin-front-page", title: "Front page", values)
    }

    /// - Parameter chosen: nil for the product's own picture.
    private func values(_ product: ManagedProduct, image chosen: ProductImage?, _ index: Int) -> PageValues {
        let own = product.details.promoImage
        var pictures = product.details.images
        for picture in [own, chosen].compactMap(\.self) where !pictures.contains(where: { $0.url == picture.url }) {
            pictures.append(picture)
        }
        return [
            "index": index, "place": index + 1, "productId": product.id, "productName": product.name,
            "status": product.status.badge,
            "image": [
                "url": ProductValues.shown((chosen ?? own ?? product.details.images.first)?.url ?? ""),
                "alt": chosen?.alt ?? "",
            ] as PageValues,
            "images": pictures.enumerated().map { place, picture in
                Choice(picture.url, picture.alt.isEmpty ? "Picture \(place + 1)" : picture.alt)
            }.values(chosen: chosen?.url),
        ]
    }
}
