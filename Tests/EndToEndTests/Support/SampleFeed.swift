/// A small catalogue as Shopify would export it.
enum SampleFeed {
    static let csv = """
        Handle,Title,Body (HTML),Type,Tags,Published,Option1 Name,Option1 Value,Variant Inventory Qty,Variant Price,Image Src
        ribbed-cardigan,Ribbed Cardigan,<p>Warm &amp; soft.</p>,Cardigans,wool,true,Size,S,5,129.00,https://example.com/c.jpg
        ribbed-cardigan,,,,,,,M,1,129.00,
        wool-scarf,Wool Scarf,Two metres of it.,Scarves,"wool, gift",true,Title,Default Title,3,42.99,
        sun-hat,Sun Hat,Made of straw.,Hats,summer,true,Title,Default Title,0,19.50,
        """
}
