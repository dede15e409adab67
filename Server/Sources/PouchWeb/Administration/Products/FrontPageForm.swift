import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the page with the front page's products, in order.
    func addFrontPageForm() {
        let page = admin(.frontPage) { try await FrontPage(admin: $0).content() }
        form("/admin/front-page", for: .staff(.writeCatalog), showing: page) { submission in
            let slides = FrontPage.slides(in: submission.form)
            try await submission.perform(Contract.setPromotions, PromotionsRequest(items: slides))
            submission.tell("The front page was saved.")
            return Redirect(to: AdminSection.frontPage.path)
        }
    }
}

struct AdminFrontPageValues: PageModel {
    struct Slide: TemplateValues {
        /// The place starts at 1.
        let index, place: Int
        let productId, productName: String
        let status: StatusValues
        let image: PictureValues
        /// The pictures to choose from.
        let images: [Choice.Values]
    }

    struct Suggestion: TemplateValues {
        let handle, label: String
    }

    let version: String
    let slides: [Slide]
    /// The index of the empty row for a new slide.
    let newIndex: Int
    let newProduct: String
    let products: [Suggestion]
}

/// The front page, as staff edit it.
private struct FrontPage {
    /// The maximum number of handles that the browser suggests for a new slide.
    private static let suggestions = 200

    let admin: AdminVisit

    /// A slide with its product; nil if the product was entered incorrectly or deleted.
    private struct Slide: Sendable {
        let terms: PromotionTerms
        let product: ManagedProduct?
    }

    /// The slides of a form, without removed ones and the empty row for a new one.
    static func slides(in form: FormBody) -> [PromotionTerms] {
        let rows = form.rows(of: "items", atMost: ModelLimits.promotions) { !$0.isRemoved && !$0["product"].isEmpty }
        return rows.map { row in
            let url = row["image.url"]
            return PromotionTerms(
                product: row["product"], image: url.isEmpty ? nil : ProductImage(url: url, alt: row["image.alt"]))
        }
    }

    private static func terms(of stored: [ManagedPromotion]) -> [PromotionTerms] {
        stored.map { PromotionTerms(product: $0.productId, image: $0.image) }
    }

    func content() async throws -> PageContent {
        let now = admin.site.now
        let typed = admin.visit.failure != nil ? admin.visit.form.map(Self.slides) : nil
        let (stored, slides) = try await admin.read { repositories in
            let stored = try repositories.taxonomy.promotions(at: now)
            let slides = try (typed ?? Self.terms(of: stored)).map {
                Slide(terms: $0, product: try repositories.products.product($0.product, at: now))
            }
            return (stored, slides)
        }
        let suggested = ProductQuery(sort: .newest, limit: Self.suggestions)
        let products = try await admin.site.services.catalog.current().page(suggested).items
        let version = String(try TaxonomyAdministration(admin.site.environment).version(of: stored))
        let isConflict = admin.visit.failure?.problem.code == .versionConflict
        let known = slides.compactMap { slide in slide.product.map { (slide.terms.image, $0) } }
        // Keeps an unknown product handle in the field, so that it can be corrected.
        let unknown = slides.first { $0.product == nil }
        let values = AdminFrontPageValues(
            version: isConflict ? version : admin.visit.enteredValue("version", default: version),
            slides: known.enumerated().map { Self.slide($1.1, image: $1.0, $0) },
            newIndex: known.count, newProduct: unknown?.terms.product ?? "",
            products: products.map { .init(handle: $0.handle, label: $0.name) })
        return PageContent(
            values, title: "Front page", failure: isConflict ? .own(Self.conflict(with: stored)) : .ofVisit)
    }

    /// The errors for slides that another person has changed in the meantime.
    private static func conflict(with stored: [ManagedPromotion]) -> FormErrors {
        let names = stored.map(\.name).joined(separator: ", ")
        return FormErrors(
            summary: "Another person saved the front page while you were editing it. "
                + "Your entries are kept; save to replace the other slides.",
            items: [.init(field: "", text: "The front page is now: \(names.isEmpty ? "the newest products" : names).")])
    }

    /// - Parameter chosen: nil for the product's own picture.
    private static func slide(
        _ product: ManagedProduct, image chosen: ProductImage?, _ index: Int
    ) -> AdminFrontPageValues.Slide {
        let own = product.details.promoImage
        var pictures = product.details.images
        for picture in [own, chosen].compactMap(\.self) where !pictures.contains(where: { $0.url == picture.url }) {
            pictures.append(picture)
        }
        let choices = pictures.enumerated().map { place, picture in
            Choice(picture.url, AdminProductPage.label(of: picture.alt, at: place))
        }
        return .init(
            index: index, place: index + 1, productId: product.id, productName: product.name,
            status: product.status.badge,
            image: .init(
                url: ProductValues.source((chosen ?? own ?? product.details.images.first)?.url ?? ""),
                alt: chosen?.alt ?? ""),
            images: choices.values(chosen: chosen?.url))
    }
}
