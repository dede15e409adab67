import Foundation
import Hummingbird
import NIOCore
import PouchContract
import PouchHTTP
import PouchWire

/// The pages of the shop and of its administration.
///
///     let pages = WebPages(services, settings)
///     let (router, _, actions) = ShopRouter.build(services, refusals: pages.refusals)
///     pages.add(to: router, actions: actions)
public struct WebPages: Sendable {
    private let site: Site
    private let paths = PagePaths()

    public init(_ services: ShopServices, _ settings: WebSettings) {
        site = Site(services, settings)
    }

    /// Middleware that responds to refused browser requests with pages.
    public var refusals: any MiddlewareProtocol<Request, Response, PouchRequestContext> {
        RefusalPages(visits: Visits(site: site), paths: paths)
    }

    /// Adds the routes of all pages.
    ///
    /// - Parameters:
    ///   - router: the API's router, whose middleware also counts, measures and logs page requests.
    ///   - actions: the API's routes, which forms call.
    public func add(to router: Router<PouchRequestContext>, actions: RouteTable) {
        site.use(actions)
        let routes = PageRoutes(site: site, router: router, known: paths)
        routes.addFiles()
        routes.addCatalogPages()
        routes.addFormerAddresses()
        routes.addCartPages()
        routes.addCheckoutPages()
        routes.addOrderPages()
        routes.addSessionPages()
        routes.addAccountPages()
        routes.addProfilePages()
        routes.addAddressPages()
        routes.addMailLinkPages()
        routes.addDocs()
        routes.addAdminSignIn()
        routes.addAdminStart()
        routes.addAdminOrderPages()
        routes.addProductListPages()
        routes.addProductPages()
        routes.addPictureForm()
        routes.addImportPages()
        routes.addStockPages()
        routes.addTaxonomyPages()
        routes.addFrontPageForm()
        routes.addAdminCustomerPages()
        routes.addAdminSearch()
        routes.addAdminExports()
        routes.addDiscountPages()
        routes.addPricePages()
        routes.addSettingsPage()
        routes.addWebhookPages()
        routes.addMailPages()
        routes.addStaffPages()
        routes.addKeyPages()
        routes.addAuditPage()
        routes.addHealthPage()
        routes.addAdminSecondFactor()
        routes.addStyleguide()
    }
}

extension PageRoutes {
    /// Adds the stylesheet, scripts and icon. Their addresses contain a digest of the text, so browsers may cache them.
    fileprivate func addFiles() {
        let theme = site.theme
        router.get("/web/{file}") { request, _ in
            guard let asset = theme.asset(path: request.uri.path) else { throw RequestProblem(.notFound) }
            return asset.response(to: request)
        }
        // Browsers request it for a document without an icon, such as a packing slip.
        router.get("/favicon.ico") { _, _ in
            Response(status: .found, headers: [.location: theme.path("icon"), .cacheControl: "public, max-age=86400"])
        }
    }
}

/// Shows browsers a page where programs receive the API's response: for an unknown address, and for a request that was
/// refused before it reached its route, such as one that exceeds its network's rate limit.
private struct RefusalPages: RouterMiddleware {
    let visits: Visits
    let paths: PagePaths

    func handle(
        _ request: Request, context: PouchRequestContext, next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            if RequestProblem(error)?.code == .notFound, let allowed = paths.allowed(for: request) {
                throw RequestProblem(allowing: allowed)
            }
            guard Self.isForPage(request) else { throw error }
            return try await visits.answer(request, context) { _ in throw error }
        }
    }

    /// Whether a browser requests a page or sends a form, rather than an API request or a request for a file.
    private static func isForPage(_ request: Request) -> Bool {
        let path = request.uri.path
        return [.get, .head, .post].contains(request.method)
            && request.headers[.accept]?.contains("text/html") == true
            && !path.hasPrefix("/v1/") && !path.hasPrefix("/web/") && Endpoint.at(path).isEmpty
    }
}
