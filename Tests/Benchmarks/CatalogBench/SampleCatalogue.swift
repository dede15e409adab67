/// A made-up catalogue as Shopify would export it.
enum SampleCatalogue {
    static func csv(products: Int, variants: Int) -> String {
        var lines = [
            "Handle,Title,Body (HTML),Type,Tags,Option1 Name,Option1 Value,Variant Grams,Variant Inventory Qty,"
                + "Variant Price,Image Src,Image Position"
        ]
        let kinds = ["Cardigan", "Jumper", "Skirt", "Scarf", "Coat", "Dress"]
        for number in 0..<products {
            let kind = kinds[number % kinds.count]
            for variant in 0..<variants {
                let handle = "\(kind.lowercased())-\(number)"
                let head =
                    variant == 0
                    ? "\(kind) No. \(number),A \(kind.lowercased()) of soft wool in pattern \(number % 17).,\(kind)s,\"wool, knit\",Size"
                    : ",,,,"
                let image = variant == 0 ? "https://example.com/\(handle).jpg,1" : ","
                lines.append("\(handle),\(head),S\(variant),300,\(variant * 7 % 20),\(20 + number % 80).90,\(image)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
